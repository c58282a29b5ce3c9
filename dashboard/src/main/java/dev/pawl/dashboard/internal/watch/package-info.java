/** Background work: sampling the queues and alerting. */
@NullMarked
package dev.pawl.dashboard.internal.watch;

import org.jspecify.annotations.NullMarked;
