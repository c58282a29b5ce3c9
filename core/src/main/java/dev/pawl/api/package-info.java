/** The types that programs use: jobs, handlers, options, outcomes, and exceptions. */
@NullMarked
package dev.pawl.api;

import org.jspecify.annotations.NullMarked;
