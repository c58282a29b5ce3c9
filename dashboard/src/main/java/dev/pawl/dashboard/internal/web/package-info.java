/** Requests, who sends them, and what is refused. */
@NullMarked
package dev.pawl.dashboard.internal.web;

import org.jspecify.annotations.NullMarked;
