/** {@code pawl lab}: what a person types. */
@NullMarked
package dev.pawl.lab.command;

import org.jspecify.annotations.NullMarked;
