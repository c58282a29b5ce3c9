package dev.pawl.spring.boot;

/** Each Boot has its own way to ask. */
final class Healths {
    private Healths() {}

    static String of(PawlHealthIndicator indicator) {
        return String.valueOf(indicator.getHealth(true));
    }
}
