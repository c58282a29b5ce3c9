/** Slots: how values of a series are issued, reserved and used. */
@NullMarked
package dev.pawl.internal.slot;

import org.jspecify.annotations.NullMarked;
