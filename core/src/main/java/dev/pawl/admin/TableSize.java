package dev.pawl.admin;

import org.jspecify.annotations.Nullable;

/**
 * How large a table is, as the database knows without reading it.
 *
 * @param table its name; of SQLite, {@code file} for the whole file
 * @param rows about how many rows it has; null if the database does not know
 * @param deadRows about how many deleted or replaced rows still take room; null if the database does not count them
 * @param bytes of the table, without indexes where the database tells them apart
 * @param indexBytes of its indexes; null if they are counted with the table
 * @param freeBytes room in it that new rows may take; null if the database does not say
 */
public record TableSize(
        String table,
        @Nullable Long rows,
        @Nullable Long deadRows,
        long bytes,
        @Nullable Long indexBytes,
        @Nullable Long freeBytes) {}
