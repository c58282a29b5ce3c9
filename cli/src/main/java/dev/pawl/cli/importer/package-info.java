/** Migration: reads other queues' tables and maps them to jobs and schedules. */
@NullMarked
package dev.pawl.cli.importer;

import org.jspecify.annotations.NullMarked;
