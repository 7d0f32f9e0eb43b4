/* Shifts the time of day of each process that preloads it; the steady clocks stay as they are.
 *
 * The file that SHIFTED_CLOCK names holds the shift as 8 bytes, in nanoseconds. It is mapped, so
 * that a change of the file moves the clock of running processes at once.
 *
 * What waits until a time of day waits by the shift at its beginning: a later jump does not wake it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

/* Seconds: steady clocks begin with the machine, the time of day in 1970. */
#define LONGEST_UPTIME 1000000000

static const volatile int64_t none = 0;
static const volatile int64_t *shift = &none;

__attribute__((constructor)) static void map_shift(void)
{
	const char *path = getenv("SHIFTED_CLOCK");
	int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
	if (mapped == MAP_FAILED) { /* a test at the wrong hour would pass for nothing */
		dprintf(2, "SHIFTED_CLOCK names no file that can be mapped: %s\n", path ? path : "unset");
		_exit(126);
	}
	close(file);
	shift = mapped;
}

static int is_time_of_day(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM
		|| clock == CLOCK_TAI;
}

static struct timespec moved(const struct timespec *time, int64_t by)
{
	int64_t all = time->tv_sec * SECOND + time->tv_nsec + by;
	int64_t rest = (all % SECOND + SECOND) % SECOND;
	return (struct timespec){.tv_sec = (all - rest) / SECOND, .tv_nsec = rest};
}

/* The next definition of a function. Of several versions dlsym may give an old one that does not fit. */
static void *next(const char *name, const char *version)
{
	void *found = dlvsym(RTLD_NEXT, name, version);
	return found ? found : dlsym(RTLD_NEXT, name);
}

#define REAL(name, version) \
	static __typeof__(name) *real; \
	if (!real) \
		real = next(#name, version)

int clock_gettime(clockid_t clock, struct timespec *time)
{
	REAL(clock_gettime, "GLIBC_2.17");
	int status = real(clock, time);
	if (!status && is_time_of_day(clock))
		*time = moved(time, *shift);
	return status;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
	struct timespec now;
	(void)zone; /* obsolete: Linux keeps none */
	clock_gettime(CLOCK_REALTIME, &now);
	*time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
	return 0;
}

time_t time(time_t *result)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (result)
		*result = now.tv_sec;
	return now.tv_sec;
}

int timespec_get(struct timespec *time, int base)
{
	return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, time) ? base : 0;
}

/* What waits until a time of day is given the kernel's time. */

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *rest)
{
	REAL(clock_nanosleep, "GLIBC_2.17");
	struct timespec own = *until;
	if (flags & TIMER_ABSTIME && is_time_of_day(clock))
		own = moved(until, -*shift);
	return real(clock, flags, &own, rest);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
	REAL(sem_timedwait, "GLIBC_2.34");
	struct timespec own = moved(until, -*shift);
	return real(semaphore, &own);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict until)
{
	REAL(sem_clockwait, "GLIBC_2.34");
	struct timespec own = is_time_of_day(clock) ? moved(until, -*shift) : *until;
	return real(semaphore, clock, &own);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until)
{
	REAL(pthread_mutex_timedlock, "GLIBC_2.34");
	struct timespec own = moved(until, -*shift);
	return real(mutex, &own);
}

/* The condition knows which clock it goes by; what it was given shows it. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
	const struct timespec *restrict until)
{
	REAL(pthread_cond_timedwait, "GLIBC_2.3.2");
	struct timespec own = until->tv_sec > LONGEST_UPTIME ? moved(until, -*shift) : *until;
	return real(condition, mutex, &own);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
	clockid_t clock, const struct timespec *restrict until)
{
	REAL(pthread_cond_clockwait, "GLIBC_2.34");
	struct timespec own = is_time_of_day(clock) ? moved(until, -*shift) : *until;
	return real(condition, mutex, clock, &own);
}
