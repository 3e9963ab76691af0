/* The reference program: runs the functions of the other files on memory that it shares
   with the runner, as orders come in.

   Descriptor 3 is the memory. An order is a line on the standard input:

       NAME UNITS THREADS REPEATS ARGUMENT...

   with arguments pOFFSET (memory), iNUMBER and fNUMBER. The answer is a line with the
   nanoseconds of processor time of all and of each repeat's time, or "error: " and why. */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "reference.h"

enum { MAX_FUNCTIONS = 512, MAX_THREADS = 256, MAX_ARGS = 16, MAX_REPEATS = 1 << 20, SPINS = 2000 };

static struct entry {
	const char *name;
	function *f;
	long grain;
} table[MAX_FUNCTIONS];
static int entries;

void reference_register(const char *name, function *f, long grain)
{
	if (entries == MAX_FUNCTIONS)
		abort();
	table[entries++] = (struct entry){name, f, grain};
}

/* The work under way. Helpers sleep until generation changes; all of them then take part
   if their number is below threads, and report. As OpenMP's, they spin a little before
   they sleep. */
static struct {
	function *f;
	const union arg *args;
	long units, grain;
	int threads;
	_Alignas(64) atomic_long next;
	_Alignas(64) atomic_int running;
	_Alignas(64) atomic_int generation;
} work;
static int helpers;

static void take_part(int me)
{
	if (work.grain == 0) {
		/* Multiples of 64 units keep the threads' vectors and cache lines apart. */
		long part = (work.units / work.threads + 63) / 64 * 64;
		long lo = part * me, hi = me == work.threads - 1 ? work.units : lo + part;
		if (hi > work.units)
			hi = work.units;
		if (lo < hi)
			work.f(work.args, lo, hi);
		return;
	}
	for (;;) {
		long lo = atomic_fetch_add(&work.next, work.grain);
		if (lo >= work.units)
			return;
		work.f(work.args, lo, lo + work.grain < work.units ? lo + work.grain : work.units);
	}
}

static void wait_while(atomic_int *word, int value)
{
	for (int i = 0; i < SPINS; i++) {
		if (atomic_load_explicit(word, memory_order_acquire) != value)
			return;
		__builtin_ia32_pause();
	}
	while (atomic_load(word) == value)
		syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(atomic_int *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, MAX_THREADS, NULL, NULL, 0); }

static void *helper(void *p)
{
	int me = (int)(intptr_t)p, seen = atomic_load(&work.generation);
	atomic_fetch_sub(&work.running, 1);
	for (;;) {
		wait_while(&work.generation, seen);
		seen = atomic_load(&work.generation);
		if (me < work.threads)
			take_part(me);
		if (atomic_fetch_sub(&work.running, 1) == 1)
			wake(&work.running);
	}
	return NULL;
}

static void start_helpers(void)
{
	for (; helpers < work.threads - 1; helpers++) {
		pthread_t t;
		work.running = 1;
		if (pthread_create(&t, NULL, helper, (void *)(intptr_t)(helpers + 1)) != 0)
			abort();
		while (atomic_load(&work.running) != 0)
			sched_yield();
	}
}

static void run(void)
{
	work.next = 0;
	if (work.threads > 1) {
		start_helpers();
		work.running = helpers;
		atomic_fetch_add(&work.generation, 1);
		wake(&work.generation);
	}
	take_part(0);
	for (int n; (n = atomic_load(&work.running)) != 0;)
		wait_while(&work.running, n);
}

static i64 now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (i64)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int parse(char *line, char *memory, long size, union arg *args, long *repeats)
{
	char *save, *name = strtok_r(line, " \n", &save), *units = strtok_r(NULL, " \n", &save);
	char *threads = strtok_r(NULL, " \n", &save), *reps = strtok_r(NULL, " \n", &save), *s;
	if (!reps)
		return printf("error: an order needs a name, units, threads and repeats\n"), 0;
	work.f = NULL;
	for (int i = 0; i < entries; i++)
		if (strcmp(table[i].name, name) == 0)
			work.f = table[i].f, work.grain = table[i].grain;
	if (!work.f)
		return printf("error: there is no reference %s\n", name), 0;
	work.units = atol(units), work.threads = atoi(threads), *repeats = atol(reps);
	if (work.threads < 1 || work.threads > MAX_THREADS || *repeats < 1 || *repeats > MAX_REPEATS)
		return printf("error: %d threads, %ld repeats\n", work.threads, *repeats), 0;
	int n = 0;
	while ((s = strtok_r(NULL, " \n", &save))) {
		if (n == MAX_ARGS)
			return printf("error: too many arguments\n"), 0;
		union arg *a = &args[n++];
		switch (*s) {
		case 'p':
			if (atol(s + 1) < 0 || atol(s + 1) > size)
				return printf("error: offset %s\n", s), 0;
			a->p = memory + atol(s + 1);
			break;
		case 'i':
			a->i = atoll(s + 1);
			break;
		case 'f':
			a->f = strtod(s + 1, NULL);
			break;
		default:
			return printf("error: argument %s\n", s), 0;
		}
	}
	work.args = args;
	return 1;
}

int main(void)
{
	static i64 times[MAX_REPEATS];
	struct stat st;
	if (fstat(3, &st) != 0) {
		fprintf(stderr, "reference: run by the benchmarks, with the shared memory as descriptor 3\n");
		return 2;
	}
	char *memory = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0), line[4096];
	if (memory == MAP_FAILED) {
		perror("mmap");
		return 2;
	}
	madvise(memory, st.st_size, MADV_HUGEPAGE);
	while (fgets(line, sizeof line, stdin)) {
		union arg args[MAX_ARGS] = {0};
		long repeats;
		if (parse(line, memory, st.st_size, args, &repeats)) {
			i64 cpu = now(CLOCK_PROCESS_CPUTIME_ID);
			for (long i = 0; i < repeats; i++) {
				i64 start = now(CLOCK_MONOTONIC);
				run();
				times[i] = now(CLOCK_MONOTONIC) - start;
			}
			printf("%lld", (long long)(now(CLOCK_PROCESS_CPUTIME_ID) - cpu));
			for (long i = 0; i < repeats; i++)
				printf(" %lld", (long long)times[i]);
			printf("\n");
		}
		fflush(stdout);
	}
	return 0;
}
