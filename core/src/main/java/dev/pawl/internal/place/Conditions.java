package dev.pawl.internal.place;

import java.util.List;

/**
 * Conditions on columns that jobs have in every place.
 *
 * @param sql the conditions, each beginning with AND
 * @param values for the placeholders
 */
public record Conditions(String sql, List<Object> values) {
    /** No conditions: all jobs. */
    public static final Conditions NONE = new Conditions("", List.of());
}
