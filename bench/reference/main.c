/* The reference program runs the functions of the other files on memory that it shares with
   the runner, as ordered by it.

   Descriptor 3 is the memory. An order is a line on the standard input:

       NAME UNITS THREADS REPEATS ARGUMENT...

   with arguments pOFFSET (memory), iNUMBER and fNUMBER. The answer is a line with the
   nanoseconds of processor time of all and of each repeat's time, or "error: " and why. */

#include <pthread.h>
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

struct order {
	const struct entry *entry;
	long units, repeats;
	int threads;
	union arg args[MAX_ARGS];
};

void reference_register(const char *name, function *f, long grain)
{
	if (entries == MAX_FUNCTIONS)
		abort();
	table[entries++] = (struct entry){name, f, grain};
}

/* The work under way. Helpers sleep until generation changes, and then take chunks of it as
   long as there are any; as OpenMP's, they spin a little before they sleep. Whoever comes
   late finds nothing and is not waited for, so that another program on a processor does not
   hold up the rest.

   next is the number of the work (its upper bits) and the units taken of it. A chunk is
   taken by changing next from what it was before the other fields were read: that fails
   where these may belong to other work, as next is closed while they change. */
static struct {
	function *f;
	const union arg *args;
	long units, grain;
	int threads;
	_Alignas(64) _Atomic u64 next;
	_Alignas(64) atomic_long done;
	_Alignas(64) atomic_int finished;
	_Alignas(64) atomic_int generation;
} work;

#define TAKEN_BITS 40
#define CLOSED (((u64)1 << TAKEN_BITS) - 1)

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

static void take_part(int me)
{
	for (;;) {
		u64 next = atomic_load(&work.next);
		function *f = work.f;
		const union arg *args = work.args;
		long units = work.units, lo = next & CLOSED, hi = lo + work.grain;
		if (lo == CLOSED || lo >= units || me >= work.threads)
			return;
		if (hi > units)
			hi = units;
		if (!atomic_compare_exchange_strong(&work.next, &next, next + (hi - lo)))
			continue;
		f(args, lo, hi);
		if (atomic_fetch_add(&work.done, hi - lo) + hi - lo == units) {
			atomic_store(&work.finished, 1);
			if (me != 0)
				wake(&work.finished);
		}
	}
}

static void *helper(void *p)
{
	for (int seen = atomic_load(&work.generation);;) {
		wait_while(&work.generation, seen);
		seen = atomic_load(&work.generation);
		take_part((int)(intptr_t)p);
	}
	return NULL;
}

static int helpers;
static pthread_t helper_threads[MAX_THREADS];

static void run(const struct order *o)
{
	static u64 number;
	for (; helpers < o->threads - 1; helpers++)
		if (pthread_create(&helper_threads[helpers], NULL, helper, (void *)(intptr_t)(helpers + 1)) != 0)
			abort();
	number = (number + 1) & 0xFFFFFF;
	atomic_store(&work.next, number << TAKEN_BITS | CLOSED);
	work.f = o->entry->f, work.args = o->args, work.units = o->units, work.threads = o->threads;
	work.grain = o->entry->grain;
	if (work.grain == 0) { /* some chunks a thread, of whole vectors and cache lines */
		work.grain = (o->units / (o->threads * 8L) + 63) / 64 * 64;
		if (work.grain < 256 || o->threads == 1)
			work.grain = o->threads == 1 ? o->units : 256;
	}
	atomic_store(&work.done, 0);
	atomic_store(&work.finished, 0);
	atomic_store(&work.next, number << TAKEN_BITS);
	if (o->threads > 1) {
		atomic_fetch_add(&work.generation, 1);
		wake(&work.generation);
	}
	take_part(0);
	wait_while(&work.finished, 0);
}

static i64 now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (i64)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The processor time of all threads. The process's own clock leaves out what threads that
   run on other processors have used since their last tick of the system's timer: of a helper
   that spins, up to 4 ms. A thread's clock counts that. */
static i64 processor_time(void)
{
	i64 sum = now(CLOCK_THREAD_CPUTIME_ID);
	for (int i = 0; i < helpers; i++) {
		clockid_t clock;
		if (pthread_getcpuclockid(helper_threads[i], &clock) == 0)
			sum += now(clock);
	}
	return sum;
}

static int parse(char *line, char *memory, long size, struct order *o)
{
	char *save, *name = strtok_r(line, " \n", &save), *units = strtok_r(NULL, " \n", &save);
	char *threads = strtok_r(NULL, " \n", &save), *repeats = strtok_r(NULL, " \n", &save), *s;
	if (!repeats)
		return printf("error: an order needs a name, units, threads and repeats\n"), 0;
	*o = (struct order){.units = atol(units), .threads = atoi(threads), .repeats = atol(repeats)};
	for (int i = 0; i < entries; i++)
		if (strcmp(table[i].name, name) == 0)
			o->entry = &table[i];
	if (!o->entry)
		return printf("error: there is no reference %s\n", name), 0;
	if (o->units < 1 || o->threads < 1 || o->threads > MAX_THREADS || o->repeats < 1 || o->repeats > MAX_REPEATS)
		return printf("error: %ld units, %d threads, %ld repeats\n", o->units, o->threads, o->repeats), 0;
	for (int n = 0; (s = strtok_r(NULL, " \n", &save)); n++) {
		if (n == MAX_ARGS)
			return printf("error: too many arguments\n"), 0;
		switch (*s) {
		case 'p':
			if (atol(s + 1) < 0 || atol(s + 1) > size)
				return printf("error: offset %s\n", s), 0;
			o->args[n].p = memory + atol(s + 1);
			break;
		case 'i':
			o->args[n].i = atoll(s + 1);
			break;
		case 'f':
			o->args[n].f = strtod(s + 1, NULL);
			break;
		default:
			return printf("error: argument %s\n", s), 0;
		}
	}
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
		struct order o;
		if (parse(line, memory, st.st_size, &o)) {
			i64 cpu = processor_time();
			for (long i = 0; i < o.repeats; i++) {
				i64 start = now(CLOCK_MONOTONIC);
				run(&o);
				times[i] = now(CLOCK_MONOTONIC) - start;
			}
			printf("%lld", (long long)(processor_time() - cpu));
			for (long i = 0; i < o.repeats; i++)
				printf(" %lld", (long long)times[i]);
			printf("\n");
		}
		fflush(stdout);
	}
	return 0;
}
