/** What goes on while nobody looks: sampling the queues, and telling of what is wrong. */
@NullMarked
package dev.pawl.dashboard.internal.watch;

import org.jspecify.annotations.NullMarked;
