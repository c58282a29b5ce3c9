package dev.pawl.internal.place;

import java.util.List;

/**
 * Conditions on columns that jobs have in every place.
 *
 * @param sql each condition beginning with AND
 * @param values for their placeholders
 */
public record Conditions(String sql, List<Object> values) {
    /** All jobs. */
    public static final Conditions NONE = new Conditions("", List.of());
}
