/**
 * The worker: {@code Fetcher} claims into {@code Buffer}, {@code Runner} runs handlers, {@code Completer} records outcomes. Beside the
 * path: {@code LeaseRenewer}, {@code Rescuer}, {@code Housekeeper}.
 */
@NullMarked
package dev.pawl.internal.engine;

import org.jspecify.annotations.NullMarked;
