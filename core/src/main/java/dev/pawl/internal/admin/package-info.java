/** What people ask and do: find, list, cancel, retry, pause, examine. */
@NullMarked
package dev.pawl.internal.admin;

import org.jspecify.annotations.NullMarked;
