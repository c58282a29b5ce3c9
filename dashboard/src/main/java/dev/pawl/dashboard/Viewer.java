package dev.pawl.dashboard;

import java.util.Objects;

/**
 * Who looks at the dashboard.
 *
 * @param name for the record of what was changed, at most 100 characters of it
 * @param role what they may do
 */
public record Viewer(String name, Role role) {
    private static final int LONGEST = 100;

    /** Keeps what fits into a line of a log. */
    public Viewer {
        Objects.requireNonNull(role, "role");
        String line = name.strip().replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
        name = line.isEmpty() ? "nobody known" : line.length() > LONGEST ? line.substring(0, LONGEST) : line;
    }

    /** {@return whether they may change anything} */
    public boolean isOperator() {
        return role == Role.OPERATOR;
    }

    /** {@return the same person, who may only look} */
    public Viewer readOnly() {
        return new Viewer(name, Role.READ_ONLY);
    }
}
