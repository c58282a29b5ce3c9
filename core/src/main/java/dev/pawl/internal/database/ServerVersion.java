package dev.pawl.internal.database;

import dev.pawl.api.SchemaException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first two numbers of a server's version.
 *
 * @param major the first number
 * @param minor the second number; 0 if there is none
 */
public record ServerVersion(int major, int minor) {
    private static final Pattern NUMBERS = Pattern.compile("(\\d+)(?:\\.(\\d+))?");

    /**
     * @param text the version as the server reports it
     * @return its numbers; zeros if it does not begin with a number
     */
    public static ServerVersion of(String text) {
        Matcher numbers = NUMBERS.matcher(text);
        return numbers.lookingAt()
                ? new ServerVersion(
                        Integer.parseInt(numbers.group(1)),
                        numbers.group(2) == null ? 0 : Integer.parseInt(numbers.group(2)))
                : new ServerVersion(0, 0);
    }

    /** {@return whether it is that version or newer} */
    public boolean isAtLeast(int wantedMajor, int wantedMinor) {
        return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
    }

    /**
     * @param name the name of the product
     * @param text the version as the server reports it
     * @throws SchemaException if it is older
     */
    public void require(String name, String text, int wantedMajor, int wantedMinor) {
        if (!isAtLeast(wantedMajor, wantedMinor)) {
            throw new SchemaException(
                    name + " " + text + " is too old: Pawl needs " + name + " " + wantedMajor
                            + (wantedMinor > 0 ? "." + wantedMinor : "") + " or newer",
                    SchemaException.Reason.UNSUPPORTED_DATABASE);
        }
    }
}
