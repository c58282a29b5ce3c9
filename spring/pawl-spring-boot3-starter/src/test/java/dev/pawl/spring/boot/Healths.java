package dev.pawl.spring.boot;

/** Each Spring Boot version has its own API for health. */
final class Healths {
    private Healths() {}

    static String of(PawlHealthIndicator indicator) {
        return String.valueOf(indicator.getHealth(true));
    }
}
