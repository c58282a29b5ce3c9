/** A small HTTP/1.1 server that withstands a flood of unauthenticated callers. */
@NullMarked
package dev.pawl.internal.http;

import org.jspecify.annotations.NullMarked;
