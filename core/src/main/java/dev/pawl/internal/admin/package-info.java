/** Administration: finds, lists, cancels, retries and pauses jobs, and examines the database. */
@NullMarked
package dev.pawl.internal.admin;

import org.jspecify.annotations.NullMarked;
