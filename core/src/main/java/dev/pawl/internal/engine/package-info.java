/**
 * The worker: {@code Fetcher} claims into {@code Buffer}, {@code Runner} runs handlers, {@code Completer} records outcomes. {@code
 * LeaseRenewer}, {@code Rescuer} and {@code Housekeeper} work beside this path.
 */
@NullMarked
package dev.pawl.internal.engine;

import org.jspecify.annotations.NullMarked;
