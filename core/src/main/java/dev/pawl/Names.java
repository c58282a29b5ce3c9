package dev.pawl;

import java.util.regex.Pattern;

/** The one rule for names that people choose: kinds, queues, unique keys and tags. */
final class Names {
    private static final int MAX_NAME = 100;
    private static final int MAX_KEY = 200;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]*");

    private Names() {}

    static String check(String what, String name) {
        if (name == null || name.length() > MAX_NAME || !NAME.matcher(name).matches()) {
            throw new InvalidJobException(what + " '" + name + "' is not valid: use 1 to " + MAX_NAME
                    + " letters, digits or . _ : / - and start with a letter or a digit");
        }
        return name;
    }

    /** Blanks at the ends are refused because MySQL compares strings without them. */
    static String checkKey(String what, String key) {
        if (key.isEmpty()
                || key.length() > MAX_KEY
                || !key.strip().equals(key)
                || key.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidJobException(what + " '" + key + "' is not valid: use 1 to " + MAX_KEY
                    + " characters, no control characters, no blank at either end");
        }
        return key;
    }
}
