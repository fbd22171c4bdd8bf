/* The runtime's own work on the application's device. */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

VkResult open_vulkan(const XrGraphicsBindingVulkanKHR *binding) {
    Vulkan *vk = &runtime.vulkan;
    vk->instance = binding->instance;
    vk->device = binding->device;
    vk->family = binding->family;
#define VK_LOAD(result, name, arguments) vk->name = (result(*) arguments)vkGetInstanceProcAddr(vk->instance, #name);
    VK_FUNCTIONS(VK_LOAD)
    vk->vkGetDeviceQueue(vk->device, binding->family, binding->queue, &vk->queue);
    VkCommandPoolCreateInfo pool = {VK_TYPE_COMMAND_POOL_CREATE_INFO, NULL, 2, binding->family};
    VkResult result = vk->vkCreateCommandPool(vk->device, &pool, NULL, &vk->pool);
    if (result) return result;
    VkCommandBufferAllocateInfo buffers = {VK_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, vk->pool, 0, 1};
    if ((result = vk->vkAllocateCommandBuffers(vk->device, &buffers, &vk->buffer))) return result;
    VkFenceCreateInfo fence = {VK_TYPE_FENCE_CREATE_INFO, NULL, 0};
    return vk->vkCreateFence(vk->device, &fence, NULL, &vk->fence);
}

void close_vulkan(void) {
    Vulkan *vk = &runtime.vulkan;
    vk->vkQueueWaitIdle(vk->queue);
    vk->vkDestroyFence(vk->device, vk->fence, NULL);
    vk->vkDestroyCommandPool(vk->device, vk->pool, NULL);
}

VkDeviceMemory vulkan_memory(VkMemoryRequirements needs, VkFlags wanted) {
    Vulkan *vk = &runtime.vulkan;
    void (*ask)(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties *) =
        (void (*)(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties *))vkGetInstanceProcAddr(
            vk->instance, "vkGetPhysicalDeviceMemoryProperties");
    VkPhysicalDeviceMemoryProperties there;
    ask(vk->physical, &there);
    VkDeviceMemory memory = NULL;
    for (uint32_t type = 0; type < there.type_count && !memory; type++) {
        if (!(needs.types & 1u << type) || (there.types[type].flags & wanted) != wanted) continue;
        VkMemoryAllocateInfo info = {VK_TYPE_MEMORY_ALLOCATE_INFO, NULL, needs.size, type};
        if (vk->vkAllocateMemory(vk->device, &info, NULL, &memory)) memory = NULL;
    }
    return memory;
}

void vulkan_begin(void) {
    VkCommandBufferBeginInfo info = {VK_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL, 1, NULL};
    runtime.vulkan.vkBeginCommandBuffer(runtime.vulkan.buffer, &info);
}

void vulkan_submit(void) {
    Vulkan *vk = &runtime.vulkan;
    vk->vkEndCommandBuffer(vk->buffer);
    VkSubmitInfo submit = {VK_TYPE_SUBMIT_INFO, NULL, 0, NULL, NULL, 1, &vk->buffer, 0, NULL};
    vk->vkQueueSubmit(vk->queue, 1, &submit, vk->fence);
    vk->vkWaitForFences(vk->device, 1, &vk->fence, 1, ~0ull);
    vk->vkResetFences(vk->device, 1, &vk->fence);
}

void vulkan_move(VkImage image, int32_t from, int32_t to, VkFlags before, VkFlags stage, VkFlags after, VkFlags next) {
    VkImageMemoryBarrier barrier = {
        VK_TYPE_IMAGE_MEMORY_BARRIER, NULL, before, after, from, to, VK_IGNORED, VK_IGNORED, image, {1, 0, 1, 0, 1}};
    runtime.vulkan.vkCmdPipelineBarrier(runtime.vulkan.buffer, stage, next, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* The texels of an image, as they are. It comes as a colour attachment and is one afterwards. */
int write_image(Swapchain *swapchain, int number, const char *path) {
    Vulkan *vk = &runtime.vulkan;
    VkImage image = swapchain->images[number];
    VkDeviceSize size = (VkDeviceSize)swapchain->width * swapchain->height * (swapchain->format == 97 ? 8 : 4);
    VkBufferCreateInfo info = {
        VK_TYPE_BUFFER_CREATE_INFO, NULL, 0, size, VK_BUFFER_USAGE_TRANSFER_DST, 0, 0, NULL};
    VkBuffer buffer;
    if (vk->vkCreateBuffer(vk->device, &info, NULL, &buffer)) return 0;
    VkMemoryRequirements needs;
    vk->vkGetBufferMemoryRequirements(vk->device, buffer, &needs);
    VkDeviceMemory memory = vulkan_memory(needs, VK_MEMORY_HOST_VISIBLE | VK_MEMORY_HOST_COHERENT);
    vk->vkBindBufferMemory(vk->device, buffer, memory, 0);
    vulkan_begin();
    vulkan_move(image, VK_LAYOUT_COLOR_ATTACHMENT, VK_LAYOUT_TRANSFER_SRC, VK_ACCESS_COLOR_WRITE, VK_STAGE_COLOR_OUTPUT,
                VK_ACCESS_TRANSFER_READ, VK_STAGE_TRANSFER);
    VkBufferImageCopy copy = {0, 0, 0, {1, 0, 0, 1}, {0, 0, 0}, {swapchain->width, swapchain->height, 1}};
    vk->vkCmdCopyImageToBuffer(vk->buffer, image, VK_LAYOUT_TRANSFER_SRC, buffer, 1, &copy);
    vulkan_move(image, VK_LAYOUT_TRANSFER_SRC, VK_LAYOUT_COLOR_ATTACHMENT, 0, VK_STAGE_TRANSFER,
                VK_ACCESS_COLOR_READ | VK_ACCESS_COLOR_WRITE, VK_STAGE_COLOR_OUTPUT);
    VkMemoryBarrier read = {VK_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_TRANSFER_WRITE, VK_ACCESS_HOST_READ};
    vk->vkCmdPipelineBarrier(vk->buffer, VK_STAGE_TRANSFER, VK_STAGE_HOST, 0, 1, &read, 0, NULL, 0, NULL);
    vulkan_submit();
    void *texels = NULL;
    int written = 0;
    FILE *file = fopen(path, "wb");
    if (file && !vk->vkMapMemory(vk->device, memory, 0, size, 0, &texels))
        written = fwrite(texels, 1, size, file) == size;
    if (file) fclose(file);
    vk->vkDestroyBuffer(vk->device, buffer, NULL);
    vk->vkFreeMemory(vk->device, memory, NULL);
    return written;
}
