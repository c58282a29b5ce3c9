package dev.pawl.admin;

import org.jspecify.annotations.Nullable;

/**
 * The state of a series of slots. Slots that {@link dev.pawl.SlotSeries#trim} has deleted count only in {@code issued}.
 *
 * @param name of the series
 * @param lastSlot the last value issued; null before the first
 * @param issued values issued so far
 * @param used slots that are used
 * @param reserved slots that are reserved now
 * @param expired slots whose reservation has expired
 * @param cleared slots that were released
 */
public record SlotSeriesInfo(
        String name, @Nullable String lastSlot, long issued, long used, long reserved, long expired, long cleared) {}
