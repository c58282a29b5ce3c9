package dev.pawl.dashboard;

import java.util.Objects;

/**
 * A user of the dashboard.
 *
 * @param name for the audit log, truncated to 100 characters
 * @param role what they may do
 */
public record Viewer(String name, Role role) {
    private static final int LONGEST = 100;

    /** Reduces the name to characters that fit on one line of a log. */
    public Viewer {
        Objects.requireNonNull(role, "role");
        String line = name.strip().replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
        name = line.isEmpty() ? "unknown" : line.length() > LONGEST ? line.substring(0, LONGEST) : line;
    }

    /** {@return whether they may change anything} */
    public boolean isOperator() {
        return role == Role.OPERATOR;
    }

    /** {@return the same user with read access only} */
    public Viewer readOnly() {
        return new Viewer(name, Role.READ_ONLY);
    }
}
