/** Moving in: what other queues keep in their tables, read and mapped to jobs and schedules. */
@NullMarked
package dev.pawl.cli.importer;

import org.jspecify.annotations.NullMarked;
