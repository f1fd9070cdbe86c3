/* The C interface from C: every product and plan with numbers done by hand, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gossamer/gossamer.h"

static int failures = 0;

#define EXPECT(condition)                                                                \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      printf("%s:%d: %s\n  last error: %s\n", __FILE__, __LINE__, #condition,            \
             gossamer_last_error());                                                     \
      ++failures;                                                                        \
    }                                                                                    \
  } while (0)
#define OK(call) EXPECT((call) == GOSSAMER_OK)

/* [ 1 0 2 0 ]
 * [ 0 0 0 0 ]
 * [ 0 3 0 4 ] */
static const int32_t offsets[] = {0, 2, 2, 4};
static const int64_t wide_offsets[] = {0, 2, 2, 4};
static const int32_t columns[] = {0, 2, 1, 3};
static const double values[] = {1, 2, 3, 4};
static const float single_values[] = {1, 2, 3, 4};

static gossamer_matrix* small(void) {
  gossamer_matrix* a = NULL;
  OK(gossamer_borrow_csr(GOSSAMER_F64, 3, 4, 4, offsets, 4, columns, 4, values, &a));
  return a;
}
static gossamer_operand plain(const gossamer_matrix* a) {
  gossamer_operand o = {a, 1, GOSSAMER_AS_IT_IS, 0};
  return o;
}
static gossamer_operand turned(const gossamer_matrix* a) {
  gossamer_operand o = {a, 1, GOSSAMER_TRANSPOSED, 0};
  return o;
}
static int mentions(const char* part) { return strstr(gossamer_last_error(), part) != NULL; }

static void vectors(const gossamer_context* cpu) {
  gossamer_matrix* a = small();
  const double x[] = {1, 1, 1, 1};
  double y[] = {9, 9, 9}, z[4];
  gossamer_operand scaled = {NULL, 2, GOSSAMER_TRANSPOSED, 0};
  gossamer_options how;
  OK(gossamer_spmv(cpu, plain(a), x, 0, y, NULL));
  EXPECT(y[0] == 3 && y[1] == 0 && y[2] == 7);
  OK(gossamer_spmv(cpu, plain(a), x, 2, y, NULL));
  EXPECT(y[0] == 9 && y[2] == 21);
  scaled.matrix = a;
  OK(gossamer_spmv(cpu, scaled, x, 0, z, NULL));
  EXPECT(z[0] == 2 && z[1] == 6 && z[2] == 4 && z[3] == 8);
  gossamer_options_init(&how);
  how.semiring = GOSSAMER_MIN_PLUS;
  OK(gossamer_spmv(cpu, plain(a), x, 0, y, &how));
  EXPECT(y[0] == 2 && isinf(y[1]) && y[2] == 4);
  gossamer_matrix_destroy(a);
}

static void blocks(const gossamer_context* cpu) {
  gossamer_matrix* a = small();
  double b[] = {1, 2, 1, 2, 1, 2, 1, 2}, c[6];
  const gossamer_dense B = {4, 2, 2, 0, b}, C = {3, 2, 3, 1, c};
  gossamer_plan* plan = NULL;
  OK(gossamer_spmm(cpu, plain(a), B, 0, C, NULL));
  EXPECT(c[0] == 3 && c[2] == 7 && c[3] == 6 && c[5] == 14);
  OK(gossamer_plan_spmm(cpu, plain(a), B, C, NULL, &plan));
  c[0] = 0;
  OK(gossamer_run_spmm(plan, plain(a), B, 0, C));
  EXPECT(c[0] == 3 && c[5] == 14);
  gossamer_plan_destroy(plan);
  gossamer_matrix_destroy(a);
}

static void sparse_products(const gossamer_context* cpu) {
  gossamer_matrix *a = small(), *c = NULL, *sum = NULL, *triple = NULL, *mask = NULL;
  gossamer_arrays arrays;
  gossamer_options how;
  const int32_t at[] = {2};
  const double one[] = {1};
  OK(gossamer_spgemm(cpu, plain(a), turned(a), NULL, &c));
  EXPECT(gossamer_rows(c) == 3 && gossamer_cols(c) == 3 && gossamer_nnz(c) == 2);
  OK(gossamer_arrays_of(c, &arrays));
  EXPECT(arrays.offset_bytes == 4 && arrays.index_bytes == 4 && arrays.on_device == 0);
  EXPECT(((const double*)arrays.values)[0] == 5 && ((const double*)arrays.values)[1] == 25);
  EXPECT(((const int32_t*)arrays.columns)[1] == 2 && arrays.rows == NULL);
  OK(gossamer_spgemm_add(cpu, plain(a), turned(a), plain(c), NULL, &sum));
  OK(gossamer_arrays_of(sum, &arrays));
  EXPECT(((const double*)arrays.values)[1] == 50);
  OK(gossamer_triple_product(cpu, turned(a), plain(c), plain(a), NULL, &triple));
  EXPECT(gossamer_rows(triple) == 4 && gossamer_cols(triple) == 4);
  gossamer_options_init(&how);
  OK(gossamer_from_triplets(GOSSAMER_F64, 3, 3, 1, at, at, 4, one, &mask));
  how.mask = mask;
  gossamer_matrix_destroy(sum);
  OK(gossamer_spgemm(cpu, plain(a), turned(a), &how, &sum));
  EXPECT(gossamer_nnz(sum) == 1);
  how.complement_mask = 1;
  gossamer_matrix_destroy(sum);
  OK(gossamer_spgemm(cpu, plain(a), turned(a), &how, &sum));
  EXPECT(gossamer_nnz(sum) == 1);
  gossamer_matrix_destroy(a);
  gossamer_matrix_destroy(c);
  gossamer_matrix_destroy(sum);
  gossamer_matrix_destroy(triple);
  gossamer_matrix_destroy(mask);
}

static void plans(const gossamer_context* cpu) {
  double mine[] = {1, 2, 3, 4};
  const double x[] = {1, 1, 1, 1};
  double y[3];
  gossamer_matrix *a = NULL, *c = NULL;
  gossamer_plan *vector_plan = NULL, *sparse_plan = NULL;
  gossamer_arrays arrays;
  gossamer_options how;
  gossamer_options_init(&how);
  how.expected_calls = 100;
  OK(gossamer_borrow_csr(GOSSAMER_F64, 3, 4, 4, wide_offsets, 8, columns, 4, mine, &a));
  OK(gossamer_plan_spmv(cpu, plain(a), x, y, &how, &vector_plan));
  EXPECT(strncmp(gossamer_plan_kernel(vector_plan), "spmv/", 5) == 0);
  EXPECT(strstr(gossamer_plan_explain(vector_plan), gossamer_plan_kernel(vector_plan)) != NULL);
  OK(gossamer_run_spmv(vector_plan, plain(a), x, 0, y));
  EXPECT(y[0] == 3 && y[2] == 7);
  mine[0] = 10;
  OK(gossamer_run_spmv(vector_plan, plain(a), x, 0, y));
  EXPECT(y[0] == 12);
  OK(gossamer_plan_spgemm(cpu, plain(a), turned(a), NULL, &sparse_plan));
  OK(gossamer_run_spgemm(sparse_plan, plain(a), turned(a), &c));
  mine[3] = 0;
  OK(gossamer_run_spgemm(sparse_plan, plain(a), turned(a), &c));
  OK(gossamer_arrays_of(c, &arrays));
  EXPECT(((const double*)arrays.values)[0] == 104 && ((const double*)arrays.values)[1] == 9);
  EXPECT(gossamer_run_spgemm(vector_plan, plain(a), turned(a), &c) == GOSSAMER_BAD_ARGUMENT);
  EXPECT(gossamer_run_spmv(sparse_plan, plain(a), x, 0, y) == GOSSAMER_BAD_ARGUMENT);
  gossamer_plan_destroy(vector_plan);
  gossamer_plan_destroy(sparse_plan);
  gossamer_matrix_destroy(a);
  gossamer_matrix_destroy(c);
}

static void conversions(const gossamer_context* cpu) {
  const char* const file = "c_api_test.mtx";
  gossamer_matrix *a = small(), *made = NULL, *back = NULL, *b = NULL, *borrowed = NULL;
  gossamer_arrays arrays;
  gossamer_format to;
  void* numbers = NULL;
  for (to = GOSSAMER_CSR; to <= GOSSAMER_HYB; ++to) {
    const double x[] = {1, 1, 1, 1};
    double y[3];
    OK(gossamer_convert(cpu, plain(a), to, &made));
    EXPECT(gossamer_format_of(made) == to && gossamer_nnz(made) == 4);
    OK(gossamer_spmv(cpu, plain(made), x, 0, y, NULL));
    EXPECT(y[0] == 3 && y[2] == 7);
    gossamer_matrix_destroy(made);
  }
  OK(gossamer_transpose(cpu, a, &made));
  EXPECT(gossamer_rows(made) == 4 && gossamer_type_of(made) == GOSSAMER_F64);
  OK(gossamer_values(made, &numbers));
  ((double*)numbers)[0] = 7;
  OK(gossamer_write(made, file));
  OK(gossamer_read(file, GOSSAMER_F64, &back));
  remove(file);
  OK(gossamer_arrays_of(back, &arrays));
  EXPECT(((const double*)arrays.values)[0] == 7);
  OK(gossamer_validate(cpu, back));
  OK(gossamer_add(cpu, plain(back), turned(a), &b));
  OK(gossamer_arrays_of(b, &arrays));
  EXPECT(((const double*)arrays.values)[0] == 8);
  EXPECT(gossamer_values(a, &numbers) == GOSSAMER_BAD_ARGUMENT && mentions("borrowed"));
  OK(gossamer_borrow_csc(GOSSAMER_F32, 4, 3, 4, offsets, 4, columns, 4, single_values, &borrowed));
  EXPECT(gossamer_type_of(borrowed) == GOSSAMER_F32 && gossamer_format_of(borrowed) == GOSSAMER_CSC);
  OK(gossamer_arrays_of(borrowed, &arrays));
  EXPECT(arrays.rows == columns && arrays.columns == NULL);
  gossamer_matrix_destroy(back);
  back = NULL;
  OK(gossamer_copy_to(cpu, borrowed, &back));
  EXPECT(gossamer_nnz(back) == 4);
  gossamer_matrix_destroy(back);
  OK(gossamer_copy_to_host(cpu, borrowed, &back));
  gossamer_matrix_destroy(a);
  gossamer_matrix_destroy(b);
  gossamer_matrix_destroy(made);
  gossamer_matrix_destroy(back);
  gossamer_matrix_destroy(borrowed);
}

/* [ 1+i  0  2i ]
 * [  0   3  0  ], each number as its real and imaginary part */
static void complex_values(const gossamer_context* cpu) {
  static const int32_t starts[] = {0, 2, 3}, at[] = {0, 2, 1};
  static const double numbers[] = {1, 1, 0, 2, 3, 0};
  const double x[] = {1, 0, 0, 1, 1, 1}, u[] = {1, 0, 0, 1};
  double y[4], z[6];
  double c[4];
  const gossamer_dense X = {3, 1, 1, 0, (void*)x}, C = {2, 1, 1, 0, c};
  gossamer_matrix *a = NULL, *gram = NULL, *back = NULL, *real = small();
  gossamer_operand adjoint = {NULL, 1, GOSSAMER_CONJUGATE_TRANSPOSED, 0};
  gossamer_operand scaled = {NULL, 0, GOSSAMER_CONJUGATED, 1}, wrong = {NULL, 1, 4, 0};
  gossamer_options how;
  gossamer_arrays arrays;
  OK(gossamer_borrow_csr(GOSSAMER_C128, 2, 3, 3, starts, 4, at, 4, numbers, &a));
  EXPECT(gossamer_type_of(a) == GOSSAMER_C128);
  OK(gossamer_spmv(cpu, plain(a), x, 0, y, NULL));
  EXPECT(y[0] == -1 && y[1] == 3 && y[2] == 0 && y[3] == 3);
  OK(gossamer_spmm(cpu, plain(a), X, 0, C, NULL));
  EXPECT(memcmp(c, y, sizeof c) == 0);
  adjoint.matrix = a;
  OK(gossamer_spmv(cpu, adjoint, u, 0, z, NULL));
  EXPECT(z[0] == 1 && z[1] == -1 && z[2] == 0 && z[3] == 3 && z[4] == 0 && z[5] == -2);
  scaled.matrix = a; /* i conj(A) x */
  OK(gossamer_spmv(cpu, scaled, x, 0, y, NULL));
  EXPECT(y[0] == 3 && y[1] == 3 && y[2] == -3 && y[3] == 0);
  OK(gossamer_spgemm(cpu, plain(a), adjoint, NULL, &gram));
  OK(gossamer_arrays_of(gram, &arrays));
  EXPECT(gossamer_nnz(gram) == 2 && ((const double*)arrays.values)[0] == 6 && ((const double*)arrays.values)[1] == 0 &&
         ((const double*)arrays.values)[2] == 9);
  OK(gossamer_write(gram, "c_api_test.npz"));
  OK(gossamer_read("c_api_test.npz", GOSSAMER_C64, &back));
  remove("c_api_test.npz");
  EXPECT(gossamer_type_of(back) == GOSSAMER_C64 && gossamer_nnz(back) == 2);
  gossamer_options_init(&how);
  how.semiring = GOSSAMER_MIN_PLUS;
  EXPECT(gossamer_spmv(cpu, plain(a), x, 0, y, &how) == GOSSAMER_BAD_ARGUMENT && mentions("complex"));
  wrong.matrix = a;
  EXPECT(gossamer_spmv(cpu, wrong, x, 0, y, NULL) == GOSSAMER_BAD_ARGUMENT && mentions("0 to 3"));
  scaled.matrix = real;
  EXPECT(gossamer_spmv(cpu, scaled, x, 0, y, NULL) == GOSSAMER_BAD_ARGUMENT && mentions("alpha_imaginary"));
  gossamer_matrix_destroy(a);
  gossamer_matrix_destroy(gram);
  gossamer_matrix_destroy(back);
  gossamer_matrix_destroy(real);
}

static void refusals(const gossamer_context* cpu) {
  static const int32_t from_one[] = {1, 3, 3, 5}, outside[] = {0, 2, 1, 4};
  const double x[] = {1, 1, 1, 1};
  double y[3];
  gossamer_matrix *a = small(), *b = NULL, *none = NULL;
  gossamer_context* gpu = NULL;
  gossamer_options how;
  gossamer_options_init(&how);
  EXPECT(gossamer_spmv(NULL, plain(a), x, 0, y, NULL) == GOSSAMER_BAD_ARGUMENT && mentions("context"));
  EXPECT(gossamer_spmv(cpu, plain(NULL), x, 0, y, NULL) == GOSSAMER_BAD_ARGUMENT && mentions("null"));
  EXPECT(gossamer_spmv(cpu, plain(a), NULL, 0, y, NULL) == GOSSAMER_BAD_ARGUMENT && mentions("null"));
  EXPECT(gossamer_spgemm(cpu, plain(a), plain(a), NULL, &none) == GOSSAMER_BAD_ARGUMENT && none == NULL);
  EXPECT(mentions("3 x 4"));
  how.threads = -1;
  EXPECT(gossamer_spmv(cpu, plain(a), x, 0, y, &how) == GOSSAMER_BAD_ARGUMENT && mentions("-1"));
  gossamer_options_init(&how);
  how.semiring = (gossamer_semiring)99;
  EXPECT(gossamer_spmv(cpu, plain(a), x, 0, y, &how) == GOSSAMER_BAD_ARGUMENT && mentions("99"));
  gossamer_options_init(&how);
  how.algorithm = "no such algorithm";
  EXPECT(gossamer_spmv(cpu, plain(a), x, 0, y, &how) != GOSSAMER_OK);
  EXPECT(gossamer_borrow_csr(GOSSAMER_F64, 3, 4, 4, offsets, 3, columns, 4, values, &none) == GOSSAMER_BAD_ARGUMENT);
  EXPECT(gossamer_borrow_csr((gossamer_type)7, 3, 4, 4, offsets, 4, columns, 4, values, &none) == GOSSAMER_BAD_ARGUMENT);
  OK(gossamer_borrow_csr(GOSSAMER_F64, 3, 4, 5, from_one, 4, columns, 4, values, &b));
  EXPECT(gossamer_spmv(cpu, plain(b), x, 0, y, NULL) == GOSSAMER_BAD_ARGUMENT && mentions("begin at 1"));
  gossamer_matrix_destroy(b);
  OK(gossamer_borrow_csr(GOSSAMER_F64, 3, 4, 4, offsets, 4, outside, 4, values, &b));
  EXPECT(gossamer_validate(cpu, b) == GOSSAMER_BAD_INPUT && mentions("column 4"));
  EXPECT(gossamer_read("no such file.mtx", GOSSAMER_F64, &none) == GOSSAMER_BAD_INPUT && none == NULL);
  EXPECT(gossamer_from_triplets(GOSSAMER_F64, 2, 2, 1, outside + 3, columns, 4, values, &none) == GOSSAMER_BAD_ARGUMENT);
  EXPECT(gossamer_context_openmp(-3, &gpu) == GOSSAMER_BAD_ARGUMENT && gpu == NULL);
  EXPECT(gossamer_context_cuda(4096, &gpu) == GOSSAMER_NOT_AVAILABLE && gpu == NULL);
  EXPECT(strcmp(gossamer_status_name(GOSSAMER_NOT_AVAILABLE), "not available") == 0);
  EXPECT(strcmp(gossamer_status_name(GOSSAMER_OK), "ok") == 0);
  EXPECT(strcmp(gossamer_status_name(GOSSAMER_INTERNAL_ERROR), "internal error") == 0);
  gossamer_matrix_destroy(a);
  gossamer_matrix_destroy(b);
  gossamer_matrix_destroy(NULL);
}

int main(void) {
  gossamer_context *cpu = NULL, *reference = NULL;
  EXPECT(strlen(gossamer_version()) >= 5);
  EXPECT(strcmp(gossamer_last_error(), "") == 0);
  OK(gossamer_context_openmp(2, &cpu));
  OK(gossamer_context_reference(&reference));
  OK(gossamer_synchronise(cpu));
  vectors(cpu);
  vectors(reference);
  blocks(cpu);
  sparse_products(cpu);
  sparse_products(reference);
  plans(cpu);
  conversions(cpu);
  complex_values(cpu);
  complex_values(reference);
  refusals(cpu);
  gossamer_context_destroy(cpu);
  gossamer_context_destroy(reference);
  printf(failures ? "%d failures\n" : "passed\n", failures);
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
