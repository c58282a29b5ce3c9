/** Inspecting and operating a queue, for people and tools. */
@NullMarked
package dev.pawl.admin;

import org.jspecify.annotations.NullMarked;
