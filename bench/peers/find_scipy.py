"""What CMake needs to embed this interpreter: SciPy's version, the interpreter, its headers, libpython."""
import os
import sys
import sysconfig

import scipy

library = os.path.join(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME"))
if not sysconfig.get_config_var("Py_ENABLE_SHARED"):
    library = "none"
print(scipy.__version__, sys.executable, sysconfig.get_path("include"), library, sep=";")
