/* Memory for camera buffers where the kernel has no dma-heaps: preloaded, it serves anonymous files instead.
   libcamera opens a heap, asks it for buffers, and brackets each use of a buffer with a sync; a file needs none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static const char folder[] = "/dev/dma_heap/";

typedef int (*opener)(const char *, int, ...);

static int opened(const char *name, const char *path, int flags, mode_t mode)
{
	if (path && !strncmp(path, folder, sizeof(folder) - 1))
		return memfd_create("heap", MFD_CLOEXEC);
	return ((opener)dlsym(RTLD_NEXT, name))(path, flags, mode);
}

static mode_t mode_of(int flags, va_list rest)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	mode_t mode = mode_of(flags, rest);
	va_end(rest);
	return opened("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	mode_t mode = mode_of(flags, rest);
	va_end(rest);
	return opened("open64", path, flags, mode);
}

static int allocated(struct dma_heap_allocation_data *wanted)
{
	int file = memfd_create("buffer", MFD_CLOEXEC);
	if (file < 0)
		return -1;
	if (ftruncate(file, wanted->len) < 0) {
		int reason = errno;
		close(file);
		errno = reason;
		return -1;
	}
	wanted->fd = file;
	return 0;
}

int ioctl(int file, unsigned long request, ...)
{
	va_list rest;
	va_start(rest, request);
	void *argument = va_arg(rest, void *);
	va_end(rest);
	if ((unsigned int)request == (unsigned int)DMA_HEAP_IOCTL_ALLOC)
		return allocated(argument);
	int done = ((int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl"))(file, request, argument);
	/* An anonymous file knows neither the sync of a buffer nor its name. */
	if (done < 0 && errno == ENOTTY && _IOC_TYPE(request) == DMA_BUF_BASE)
		return 0;
	return done;
}
