package dev.pawl.spring.boot;

/** The differences between the starters for the versions of Spring Boot. */
final class ThisStarter {
    static final String NAME = "pawl-spring-boot-starter";
    static final String BOOT = "4.";
    static final String OTHER = "pawl-spring-boot3-starter";

    private ThisStarter() {}
}
