/** Migration: reads other queues' tables and maps them to jobs and schedules. */
@NullMarked
package dev.pawl.importer;

import org.jspecify.annotations.NullMarked;
