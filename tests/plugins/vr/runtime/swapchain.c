/* Swapchains: images that the application draws to, and who has each of them at the moment. */
#include "runtime.h"

#include <string.h>

Swapchain *find_swapchain(XrSwapchain handle) {
    for (int number = 0; number < MOST_SWAPCHAINS; number++)
        if ((void *)handle == (void *)&runtime.swapchains[number] && runtime.swapchains[number].alive)
            return &runtime.swapchains[number];
    return NULL;
}

static int offered(int64_t format) {
    for (int number = 0; number < runtime.script.format_count; number++)
        if (runtime.script.formats[number] == format) return 1;
    return 0;
}

XrResult xrEnumerateSwapchainFormats(XrSession session, uint32_t capacity, uint32_t *count, int64_t *formats) {
    REQUIRE(session == SESSION && runtime.session, XR_ERROR_HANDLE_INVALID);
    *count = (uint32_t)runtime.script.format_count;
    if (!capacity) return XR_SUCCESS;
    REQUIRE(capacity >= *count, XR_ERROR_SIZE_INSUFFICIENT);
    memcpy(formats, runtime.script.formats, *count * sizeof *formats);
    return XR_SUCCESS;
}

static int make_image(Swapchain *swapchain, int number) {
    Vulkan *vk = &runtime.vulkan;
    VkImageCreateInfo info = {.type = VK_TYPE_IMAGE_CREATE_INFO,
                              .kind = 1,
                              .format = (int32_t)swapchain->format,
                              .extent = {swapchain->width, swapchain->height, 1},
                              .mips = 1,
                              .layers = 1,
                              .samples = 1,
                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT | VK_IMAGE_USAGE_TRANSFER_SRC};
    if (vk->vkCreateImage(vk->device, &info, NULL, &swapchain->images[number])) return 0;
    VkMemoryRequirements needs;
    vk->vkGetImageMemoryRequirements(vk->device, swapchain->images[number], &needs);
    swapchain->memory[number] = vulkan_memory(needs, 0);
    if (vk->vkBindImageMemory(vk->device, swapchain->images[number], swapchain->memory[number], 0)) return 0;
    vulkan_begin();
    vulkan_move(swapchain->images[number], VK_LAYOUT_UNDEFINED, VK_LAYOUT_COLOR_ATTACHMENT, 0, VK_STAGE_TOP,
                VK_ACCESS_COLOR_READ | VK_ACCESS_COLOR_WRITE, VK_STAGE_COLOR_OUTPUT);
    vulkan_submit();
    return 1;
}

XrResult xrCreateSwapchain(XrSession session, const XrSwapchainCreateInfo *info, XrSwapchain *handle) {
    REQUIRE(session == SESSION && runtime.session, XR_ERROR_HANDLE_INVALID);
    if (session_result()) return session_result();
    REQUIRE(info->head.type == XR_TYPE_SWAPCHAIN_CREATE_INFO, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(info->usage == XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT, XR_ERROR_FEATURE_UNSUPPORTED);
    REQUIRE(offered(info->format), XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED);
    REQUIRE(info->samples == 1 && info->faces == 1 && info->layers == 1 && info->mips == 1,
            XR_ERROR_FEATURE_UNSUPPORTED);
    REQUIRE(info->width && info->height && info->width <= 4096 && info->height <= 4096, XR_ERROR_VALIDATION_FAILURE);
    Swapchain *swapchain = runtime.swapchains;
    while (swapchain->alive && swapchain < runtime.swapchains + MOST_SWAPCHAINS - 1) swapchain++;
    REQUIRE(!swapchain->alive, XR_ERROR_LIMIT_REACHED);
    memset(swapchain, 0, sizeof *swapchain);
    swapchain->alive = 1;
    swapchain->format = info->format;
    swapchain->width = info->width;
    swapchain->height = info->height;
    swapchain->released = -1;
    for (int number = 0; number < MOST_IMAGES; number++)
        REQUIRE(make_image(swapchain, number), XR_ERROR_RUNTIME_FAILURE);
    note("swapchain %ux%u in format %d", info->width, info->height, (int)info->format);
    *handle = (XrSwapchain)(void *)swapchain;
    return XR_SUCCESS;
}

void destroy_swapchain(Swapchain *swapchain) {
    Vulkan *vk = &runtime.vulkan;
    for (int number = 0; number < MOST_IMAGES; number++) {
        vk->vkDestroyImage(vk->device, swapchain->images[number], NULL);
        vk->vkFreeMemory(vk->device, swapchain->memory[number], NULL);
    }
    swapchain->alive = 0;
    note("swapchain destroyed");
}

XrResult xrDestroySwapchain(XrSwapchain handle) {
    Swapchain *swapchain = find_swapchain(handle);
    REQUIRE(swapchain, XR_ERROR_HANDLE_INVALID);
    destroy_swapchain(swapchain);
    return XR_SUCCESS;
}

XrResult xrEnumerateSwapchainImages(XrSwapchain handle, uint32_t capacity, uint32_t *count,
                                    XrSwapchainImageVulkanKHR *images) {
    Swapchain *swapchain = find_swapchain(handle);
    REQUIRE(swapchain, XR_ERROR_HANDLE_INVALID);
    *count = MOST_IMAGES;
    if (!capacity) return XR_SUCCESS;
    REQUIRE(capacity >= MOST_IMAGES, XR_ERROR_SIZE_INSUFFICIENT);
    for (int number = 0; number < MOST_IMAGES; number++) {
        REQUIRE(images[number].head.type == XR_TYPE_SWAPCHAIN_IMAGE_VULKAN_KHR, XR_ERROR_VALIDATION_FAILURE);
        images[number].image = swapchain->images[number];
    }
    return XR_SUCCESS;
}

/* In turn --------------------------------------------------------------------------------------------------------- */

XrResult xrAcquireSwapchainImage(XrSwapchain handle, const XrInput *info, uint32_t *index) {
    Swapchain *swapchain = find_swapchain(handle);
    (void)info;
    REQUIRE(swapchain, XR_ERROR_HANDLE_INVALID);
    if (session_result()) return session_result();
    REQUIRE(swapchain->queued < MOST_IMAGES, XR_ERROR_CALL_ORDER_INVALID);
    swapchain->queue[swapchain->queued++] = swapchain->next;
    *index = (uint32_t)swapchain->next;
    swapchain->next = (swapchain->next + 1) % MOST_IMAGES;
    return XR_SUCCESS;
}

XrResult xrWaitSwapchainImage(XrSwapchain handle, const XrSwapchainImageWaitInfo *info) {
    Swapchain *swapchain = find_swapchain(handle);
    REQUIRE(swapchain, XR_ERROR_HANDLE_INVALID);
    if (session_result()) return session_result();
    REQUIRE(info->timeout > 0, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(swapchain->queued && !swapchain->waited, XR_ERROR_CALL_ORDER_INVALID);
    if (within(runtime.script.late, runtime.waits++)) return XR_TIMEOUT_EXPIRED;
    swapchain->waited = 1;
    return XR_SUCCESS;
}

XrResult xrReleaseSwapchainImage(XrSwapchain handle, const XrInput *info) {
    Swapchain *swapchain = find_swapchain(handle);
    (void)info;
    REQUIRE(swapchain, XR_ERROR_HANDLE_INVALID);
    if (session_result()) return session_result();
    REQUIRE(swapchain->waited, XR_ERROR_CALL_ORDER_INVALID);
    swapchain->released = swapchain->queue[0];
    swapchain->waited = 0;
    memmove(swapchain->queue, swapchain->queue + 1, --swapchain->queued * sizeof *swapchain->queue);
    return XR_SUCCESS;
}
