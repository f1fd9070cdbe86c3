/* Gossamer's C interface: sparse matrix products for C, and for languages that bind to C. Opaque
 * handles, status codes, a text for every error. Sizes and counts are 64 bit; arrays of indices are
 * 4 or 8 bytes wide; values are float or double, or complex: two of them, real part first, as C's
 * float _Complex and Fortran's complex have them. Matrices that were borrowed, and vectors, stay
 * the caller's; a handle is freed by its destroy function, which takes NULL, too. Handles may be
 * used by several threads at once, but not while one of them destroys it. */
#ifndef GOSSAMER_GOSSAMER_H
#define GOSSAMER_GOSSAMER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gossamer_context gossamer_context; /* where a computation runs */
typedef struct gossamer_matrix gossamer_matrix;   /* a sparse matrix, owned or borrowed */
typedef struct gossamer_plan gossamer_plan;       /* a prepared product */

/* What a call returns. Anything but GOSSAMER_OK leaves its outputs as they were. */
typedef enum gossamer_status {
  GOSSAMER_OK = 0,
  GOSSAMER_BAD_ARGUMENT = 1,
  GOSSAMER_BAD_INPUT = 2,
  GOSSAMER_NOT_AVAILABLE = 3,
  GOSSAMER_OVERFLOW = 4,
  GOSSAMER_OUT_OF_MEMORY = 5,
  GOSSAMER_MEMORY_LIMIT = 6,
  GOSSAMER_IO_FAILURE = 7,
  GOSSAMER_DEVICE_FAILURE = 8,
  GOSSAMER_INTERNAL_ERROR = 9
} gossamer_status;

/* In the order of gossamer::value_type. */
typedef enum gossamer_type {
  GOSSAMER_F32 = 0,
  GOSSAMER_F64 = 1,
  GOSSAMER_C64 = 2, /* float _Complex, 8 bytes */
  GOSSAMER_C128 = 3 /* double _Complex, 16 bytes */
} gossamer_type;

/* How a matrix enters a product. Conjugates of real matrices are the matrices. */
typedef enum gossamer_form {
  GOSSAMER_AS_IT_IS = 0,
  GOSSAMER_TRANSPOSED = 1,
  GOSSAMER_CONJUGATE_TRANSPOSED = 2,
  GOSSAMER_CONJUGATED = 3
} gossamer_form;

/* In the order of gossamer::format. */
typedef enum gossamer_format {
  GOSSAMER_CSR = 0,
  GOSSAMER_CSC = 1,
  GOSSAMER_COO = 2,
  GOSSAMER_ELL = 3,
  GOSSAMER_SELLP = 4,
  GOSSAMER_HYB = 5
} gossamer_format;

/* In the order of gossamer::semiring. */
typedef enum gossamer_semiring {
  GOSSAMER_PLUS_TIMES = 0,
  GOSSAMER_MIN_PLUS,
  GOSSAMER_MAX_PLUS,
  GOSSAMER_OR_AND,
  GOSSAMER_PLUS_PAIR,
  GOSSAMER_ANY_PAIR,
  GOSSAMER_PLUS_FIRST,
  GOSSAMER_PLUS_SECOND,
  GOSSAMER_MIN_FIRST,
  GOSSAMER_MIN_SECOND,
  GOSSAMER_MAX_FIRST,
  GOSSAMER_MAX_SECOND,
  GOSSAMER_MIN_TIMES,
  GOSSAMER_MAX_TIMES,
  GOSSAMER_MAX_MIN
} gossamer_semiring;

/** Options of a product; docs of gossamer::options. Fill with gossamer_options_init first. NULL in
 * a call means the defaults. */
typedef struct gossamer_options {
  const char* algorithm;       /* NULL or "": the library chooses */
  const char* tuning;          /* NULL: none */
  int64_t memory_limit;        /* bytes; 0: none */
  int64_t expected_calls;      /* 1 */
  int deterministic;           /* 0 */
  int constant_values;         /* 0 */
  int threads;                 /* 0: those of the context */
  int drop_zeros;              /* 0 */
  gossamer_semiring semiring;  /* GOSSAMER_PLUS_TIMES */
  const gossamer_matrix* mask; /* NULL; a CSR matrix otherwise */
  int complement_mask;         /* 0 */
  double keep_magnitude;       /* 0 */
  int64_t keep_largest;        /* 0: all */
} gossamer_options;
void gossamer_options_init(gossamer_options* options);

/** A matrix as an operand: alpha * A, or alpha * A', or with conjugates. */
typedef struct gossamer_operand {
  const gossamer_matrix* matrix;
  double alpha;
  int transposed;         /* a gossamer_form */
  double alpha_imaginary; /* 0 for real matrices */
} gossamer_operand;

/** A dense matrix of the caller; element (i, j) is at i * stride + j, or at j * stride + i. */
typedef struct gossamer_dense {
  int64_t rows, cols, stride;
  int column_major;
  void* values;
} gossamer_dense;

/* The version, such as "0.1.0". */
const char* gossamer_version(void);
/* The name of a status, such as "bad argument". */
const char* gossamer_status_name(gossamer_status status);
/* The text of the last error of the calling thread; "" if there was none. */
const char* gossamer_last_error(void);

/* Contexts: threads on the host (0: all cores), the serial reference, a CUDA device. */
gossamer_status gossamer_context_openmp(int threads, gossamer_context** out);
gossamer_status gossamer_context_reference(gossamer_context** out);
gossamer_status gossamer_context_cuda(int device, gossamer_context** out);
/* Waits for everything that was submitted; on the host there is nothing to wait for. */
gossamer_status gossamer_synchronise(const gossamer_context* context);
void gossamer_context_destroy(gossamer_context* context);

/* Borrows the arrays of a CSR or CSC matrix in host memory, without a copy: offsets (rows + 1 or
 * cols + 1 of them), indices and values (nnz each). offset_bytes and index_bytes are 4 or 8. The
 * arrays must outlive the matrix. Sizes and the ends of the offsets are checked by every call that
 * uses the matrix; gossamer_validate checks the rest. */
gossamer_status gossamer_borrow_csr(gossamer_type type, int64_t rows, int64_t cols, int64_t nnz,
                                    const void* offsets, int offset_bytes, const void* columns,
                                    int index_bytes, const void* values, gossamer_matrix** out);
gossamer_status gossamer_borrow_csc(gossamer_type type, int64_t rows, int64_t cols, int64_t nnz,
                                    const void* offsets, int offset_bytes, const void* row_indices,
                                    int index_bytes, const void* values, gossamer_matrix** out);
/* Assembles a CSR matrix from triplets in any order; duplicates are added. */
gossamer_status gossamer_from_triplets(gossamer_type type, int64_t rows, int64_t cols,
                                       int64_t count, const void* row_indices, const void* columns,
                                       int index_bytes, const void* values, gossamer_matrix** out);
/* Files: .mtx, .mtx.gz, .npz, .gsm. Only CSR matrices in host memory can be written. */
gossamer_status gossamer_read(const char* path, gossamer_type type, gossamer_matrix** out);
gossamer_status gossamer_write(const gossamer_matrix* matrix, const char* path);
void gossamer_matrix_destroy(gossamer_matrix* matrix);

/* Another format, the transpose as CSR, and copies to the memory of a context and to the host. */
gossamer_status gossamer_convert(const gossamer_context* context, gossamer_operand from,
                                 gossamer_format to, gossamer_matrix** out);
gossamer_status gossamer_transpose(const gossamer_context* context, const gossamer_matrix* matrix,
                                   gossamer_matrix** out);
gossamer_status gossamer_copy_to(const gossamer_context* context, const gossamer_matrix* matrix,
                                 gossamer_matrix** out);
gossamer_status gossamer_copy_to_host(const gossamer_context* context,
                                      const gossamer_matrix* matrix, gossamer_matrix** out);
/* A + B, CSR. */
gossamer_status gossamer_add(const gossamer_context* context, gossamer_operand a,
                             gossamer_operand b, gossamer_matrix** out);
/* Checks every index. */
gossamer_status gossamer_validate(const gossamer_context* context, const gossamer_matrix* matrix);

/* Shape and arrays of a matrix. */
int64_t gossamer_rows(const gossamer_matrix* matrix);
int64_t gossamer_cols(const gossamer_matrix* matrix);
int64_t gossamer_nnz(const gossamer_matrix* matrix);
gossamer_type gossamer_type_of(const gossamer_matrix* matrix);
gossamer_format gossamer_format_of(const gossamer_matrix* matrix);
/** The arrays of a matrix, borrowed, and the bytes of their elements. */
typedef struct gossamer_arrays {
  const void* offsets; /* CSR: rows + 1, CSC: cols + 1, COO: NULL */
  const void* rows;    /* CSC, COO: nnz */
  const void* columns; /* CSR, COO: nnz */
  const void* values;  /* nnz */
  int offset_bytes;
  int index_bytes;
  int on_device;
} gossamer_arrays;
/* Borrows: valid as long as the matrix. Only for CSR, CSC and COO. */
gossamer_status gossamer_arrays_of(const gossamer_matrix* matrix, gossamer_arrays* out);
/* The values of a matrix that the library owns, to be overwritten; of a borrowed one, an error. */
gossamer_status gossamer_values(gossamer_matrix* matrix, void** out);

/* y = alpha op(A) x + beta y. Vectors have the type of A and are in the memory of the context; beta
 * is real, and 0 does not read y. */
gossamer_status gossamer_spmv(const gossamer_context* context, gossamer_operand a, const void* x,
                              double beta, void* y, const gossamer_options* options);
/* C = alpha op(A) B + beta C, with dense B and C. */
gossamer_status gossamer_spmm(const gossamer_context* context, gossamer_operand a, gossamer_dense b,
                              double beta, gossamer_dense c, const gossamer_options* options);
/* C = alpha op(A) alpha' op(B), all sparse. */
gossamer_status gossamer_spgemm(const gossamer_context* context, gossamer_operand a,
                                gossamer_operand b, const gossamer_options* options,
                                gossamer_matrix** out);
/* C = A B + Z, and A B C with the cheaper association, all sparse. */
gossamer_status gossamer_spgemm_add(const gossamer_context* context, gossamer_operand a,
                                    gossamer_operand b, gossamer_operand z,
                                    const gossamer_options* options, gossamer_matrix** out);
gossamer_status gossamer_triple_product(const gossamer_context* context, gossamer_operand a,
                                        gossamer_operand b, gossamer_operand c,
                                        const gossamer_options* options, gossamer_matrix** out);

/* Plans: a kernel is chosen and prepared once. Calls with a plan take operands like those it was
 * made for; a different structure is refused. */
gossamer_status gossamer_plan_spmv(const gossamer_context* context, gossamer_operand a,
                                   const void* x, void* y, const gossamer_options* options,
                                   gossamer_plan** out);
gossamer_status gossamer_plan_spmm(const gossamer_context* context, gossamer_operand a,
                                   gossamer_dense b, gossamer_dense c,
                                   const gossamer_options* options, gossamer_plan** out);
gossamer_status gossamer_plan_spgemm(const gossamer_context* context, gossamer_operand a,
                                     gossamer_operand b, const gossamer_options* options,
                                     gossamer_plan** out);
gossamer_status gossamer_run_spmv(const gossamer_plan* plan, gossamer_operand a, const void* x,
                                  double beta, void* y);
gossamer_status gossamer_run_spmm(const gossamer_plan* plan, gossamer_operand a, gossamer_dense b,
                                  double beta, gossamer_dense c);
/* Fills *c, which is allocated where it is NULL and must otherwise be a result of this plan. */
gossamer_status gossamer_run_spgemm(const gossamer_plan* plan, gossamer_operand a,
                                    gossamer_operand b, gossamer_matrix** c);
/* The kernel that runs, and why it was chosen; valid as long as the plan. */
const char* gossamer_plan_kernel(const gossamer_plan* plan);
const char* gossamer_plan_explain(const gossamer_plan* plan);
void gossamer_plan_destroy(gossamer_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
