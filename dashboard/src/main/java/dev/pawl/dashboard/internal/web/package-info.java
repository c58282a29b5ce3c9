/** Requests, authentication, and refusals. */
@NullMarked
package dev.pawl.dashboard.internal.web;

import org.jspecify.annotations.NullMarked;
