# Completion of the gossamer command for fish. Installed under share/fish/vendor_completions.d. Options are read from the
# help of the command, so that they are those of this version.

function __gossamer_options
    set -l words (commandline -opc)
    set -l commands
    for word in $words[2..-1]
        string match -q -- '-*' $word; and break
        test -e $word; and break
        set commands $commands $word
    end
    $words[1] $commands --help 2>/dev/null | string match -rg -- '^ +(?:-[A-Za-z],)?(--[a-z-]+)'
end

set -l commands info multiply convert compare generate amg explore bench roofline help
complete -c gossamer -n "not __fish_seen_subcommand_from $commands" -f -a "$commands"
complete -c gossamer -n "not __fish_seen_subcommand_from $commands" -l version -s V -d 'Version and build'
complete -c gossamer -n "__fish_seen_subcommand_from help" -f -a "$commands"
complete -c gossamer -n "__fish_seen_subcommand_from bench" -a "spmv spmm spgemm convert report compare"
complete -c gossamer -n "__fish_seen_subcommand_from $commands" -a "(__gossamer_options)"
complete -c gossamer -l on -x -a "reference openmp cuda best"
complete -c gossamer -l type -x -a "f32 f64 c64 c128"
complete -c gossamer -l format -x -a "csr csc coo ell sellp hyb dense"
complete -c gossamer -l to -x -a "mtx mtx.gz gsm npz npy"
complete -c gossamer -l why -x -a "spmv spmm spgemm"
complete -c gossamer -l semiring -x -a "plus_times min_plus max_plus or_and plus_pair any_pair plus_first plus_second min_first min_second max_first max_second min_times max_times max_min"
