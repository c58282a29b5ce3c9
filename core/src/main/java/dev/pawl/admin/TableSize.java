package dev.pawl.admin;

import org.jspecify.annotations.Nullable;

/**
 * The size of a table, see {@link Maintenance#tables}.
 *
 * @param table its name; on SQLite, {@code file} for the whole file
 * @param rows the approximate number of rows; null if unknown
 * @param deadRows the approximate number of deleted or replaced rows that still occupy space; null if the database does not count them
 * @param bytes the size of the table, including its indexes if {@code indexBytes} is null
 * @param indexBytes the size of its indexes; null if the database does not report it separately
 * @param freeBytes space for new rows; null if unknown
 */
public record TableSize(
        String table,
        @Nullable Long rows,
        @Nullable Long deadRows,
        long bytes,
        @Nullable Long indexBytes,
        @Nullable Long freeBytes) {}
