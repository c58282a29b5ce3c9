/** A small HTTP/1.1 server that a flood of unauthenticated callers does not stop. */
@NullMarked
package dev.pawl.internal.http;

import org.jspecify.annotations.NullMarked;
