/* What the test runtime needs of Vulkan 1.0, after its specification. */
#ifndef VULKAN_SUBSET_H
#define VULKAN_SUBSET_H

#include <stdint.h>

typedef struct VkInstance_T *VkInstance;
typedef struct VkPhysicalDevice_T *VkPhysicalDevice;
typedef struct VkDevice_T *VkDevice;
typedef struct VkQueue_T *VkQueue;
typedef struct VkCommandBuffer_T *VkCommandBuffer;
typedef struct VkImage_T *VkImage;
typedef struct VkBuffer_T *VkBuffer;
typedef struct VkDeviceMemory_T *VkDeviceMemory;
typedef struct VkCommandPool_T *VkCommandPool;
typedef struct VkFence_T *VkFence;
typedef int32_t VkResult;
typedef uint32_t VkFlags;
typedef uint64_t VkDeviceSize;

enum {
    VK_TYPE_SUBMIT_INFO = 4,
    VK_TYPE_MEMORY_ALLOCATE_INFO = 5,
    VK_TYPE_FENCE_CREATE_INFO = 8,
    VK_TYPE_BUFFER_CREATE_INFO = 12,
    VK_TYPE_IMAGE_CREATE_INFO = 14,
    VK_TYPE_COMMAND_POOL_CREATE_INFO = 39,
    VK_TYPE_COMMAND_BUFFER_ALLOCATE_INFO = 40,
    VK_TYPE_COMMAND_BUFFER_BEGIN_INFO = 42,
    VK_TYPE_IMAGE_MEMORY_BARRIER = 45,
    VK_TYPE_MEMORY_BARRIER = 46,
};
enum { VK_LAYOUT_UNDEFINED = 0, VK_LAYOUT_COLOR_ATTACHMENT = 2, VK_LAYOUT_TRANSFER_SRC = 6 };
enum { VK_STAGE_TOP = 1, VK_STAGE_COLOR_OUTPUT = 0x400, VK_STAGE_TRANSFER = 0x1000, VK_STAGE_HOST = 0x4000 };
enum {
    VK_ACCESS_COLOR_READ = 0x80,
    VK_ACCESS_COLOR_WRITE = 0x100,
    VK_ACCESS_TRANSFER_READ = 0x800,
    VK_ACCESS_TRANSFER_WRITE = 0x1000,
    VK_ACCESS_HOST_READ = 0x2000,
};
enum { VK_IMAGE_USAGE_TRANSFER_SRC = 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT = 0x10, VK_BUFFER_USAGE_TRANSFER_DST = 2 };
enum { VK_MEMORY_HOST_VISIBLE = 2, VK_MEMORY_HOST_COHERENT = 4 };
#define VK_IGNORED (~0u)

typedef struct { uint32_t width, height, depth; } VkExtent3D;
typedef struct { VkFlags aspect; uint32_t mip, mips, layer, layers; } VkImageSubresourceRange;
typedef struct { VkDeviceSize size, alignment; uint32_t types; } VkMemoryRequirements;
typedef struct { VkFlags flags; uint32_t heap; } VkMemoryType;
typedef struct { VkDeviceSize size; VkFlags flags; } VkMemoryHeap;
typedef struct {
    uint32_t type_count;
    VkMemoryType types[32];
    uint32_t heap_count;
    VkMemoryHeap heaps[16];
} VkPhysicalDeviceMemoryProperties;
typedef struct {
    int32_t type;
    const void *next;
    VkFlags flags;
    int32_t kind, format;
    VkExtent3D extent;
    uint32_t mips, layers;
    int32_t samples, tiling;
    VkFlags usage;
    int32_t sharing;
    uint32_t family_count;
    const uint32_t *families;
    int32_t layout;
} VkImageCreateInfo;
typedef struct {
    int32_t type;
    const void *next;
    VkFlags flags;
    VkDeviceSize size;
    VkFlags usage;
    int32_t sharing;
    uint32_t family_count;
    const uint32_t *families;
} VkBufferCreateInfo;
typedef struct { int32_t type; const void *next; VkDeviceSize size; uint32_t memory_type; } VkMemoryAllocateInfo;
typedef struct { int32_t type; const void *next; VkFlags flags; uint32_t family; } VkCommandPoolCreateInfo;
typedef struct {
    int32_t type;
    const void *next;
    VkCommandPool pool;
    int32_t level;
    uint32_t count;
} VkCommandBufferAllocateInfo;
typedef struct { int32_t type; const void *next; VkFlags flags; const void *inheritance; } VkCommandBufferBeginInfo;
typedef struct { int32_t type; const void *next; VkFlags flags; } VkFenceCreateInfo;
typedef struct { int32_t type; const void *next; VkFlags from, to; } VkMemoryBarrier;
typedef struct {
    int32_t type;
    const void *next;
    VkFlags from, to;
    int32_t old_layout, new_layout;
    uint32_t old_family, new_family;
    VkImage image;
    VkImageSubresourceRange range;
} VkImageMemoryBarrier;
typedef struct {
    VkDeviceSize offset;
    uint32_t row, height;
    struct { VkFlags aspect; uint32_t mip, layer, layers; } part;
    struct { int32_t x, y, z; } place;
    VkExtent3D extent;
} VkBufferImageCopy;
typedef struct {
    int32_t type;
    const void *next;
    uint32_t wait_count;
    const void *waits;
    const VkFlags *stages;
    uint32_t buffer_count;
    const VkCommandBuffer *buffers;
    uint32_t signal_count;
    const void *signals;
} VkSubmitInfo;

typedef void (*PFN_vkVoidFunction)(void);
PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance, const char *);

#define VK_FUNCTIONS(_)                                                                                                \
    _(VkResult, vkCreateImage, (VkDevice, const VkImageCreateInfo *, const void *, VkImage *))                         \
    _(void, vkDestroyImage, (VkDevice, VkImage, const void *))                                                         \
    _(void, vkGetImageMemoryRequirements, (VkDevice, VkImage, VkMemoryRequirements *))                                 \
    _(VkResult, vkBindImageMemory, (VkDevice, VkImage, VkDeviceMemory, VkDeviceSize))                                  \
    _(VkResult, vkCreateBuffer, (VkDevice, const VkBufferCreateInfo *, const void *, VkBuffer *))                      \
    _(void, vkDestroyBuffer, (VkDevice, VkBuffer, const void *))                                                       \
    _(void, vkGetBufferMemoryRequirements, (VkDevice, VkBuffer, VkMemoryRequirements *))                               \
    _(VkResult, vkBindBufferMemory, (VkDevice, VkBuffer, VkDeviceMemory, VkDeviceSize))                                \
    _(VkResult, vkAllocateMemory, (VkDevice, const VkMemoryAllocateInfo *, const void *, VkDeviceMemory *))            \
    _(void, vkFreeMemory, (VkDevice, VkDeviceMemory, const void *))                                                    \
    _(VkResult, vkMapMemory, (VkDevice, VkDeviceMemory, VkDeviceSize, VkDeviceSize, VkFlags, void **))                 \
    _(VkResult, vkCreateCommandPool, (VkDevice, const VkCommandPoolCreateInfo *, const void *, VkCommandPool *))       \
    _(void, vkDestroyCommandPool, (VkDevice, VkCommandPool, const void *))                                             \
    _(VkResult, vkAllocateCommandBuffers, (VkDevice, const VkCommandBufferAllocateInfo *, VkCommandBuffer *))          \
    _(VkResult, vkBeginCommandBuffer, (VkCommandBuffer, const VkCommandBufferBeginInfo *))                             \
    _(VkResult, vkEndCommandBuffer, (VkCommandBuffer))                                                                 \
    _(void, vkCmdPipelineBarrier,                                                                                      \
      (VkCommandBuffer, VkFlags, VkFlags, VkFlags, uint32_t, const VkMemoryBarrier *, uint32_t, const void *,          \
       uint32_t, const VkImageMemoryBarrier *))                                                                        \
    _(void, vkCmdCopyImageToBuffer, (VkCommandBuffer, VkImage, int32_t, VkBuffer, uint32_t, const VkBufferImageCopy *)) \
    _(void, vkGetDeviceQueue, (VkDevice, uint32_t, uint32_t, VkQueue *))                                               \
    _(VkResult, vkQueueSubmit, (VkQueue, uint32_t, const VkSubmitInfo *, VkFence))                                     \
    _(VkResult, vkCreateFence, (VkDevice, const VkFenceCreateInfo *, const void *, VkFence *))                         \
    _(void, vkDestroyFence, (VkDevice, VkFence, const void *))                                                         \
    _(VkResult, vkResetFences, (VkDevice, uint32_t, const VkFence *))                                                  \
    _(VkResult, vkWaitForFences, (VkDevice, uint32_t, const VkFence *, uint32_t, uint64_t))                            \
    _(VkResult, vkQueueWaitIdle, (VkQueue))

#endif
