/** What people do with a queue: find, list, cancel, retry, pause, examine. */
@NullMarked
package dev.pawl.internal.admin;

import org.jspecify.annotations.NullMarked;
