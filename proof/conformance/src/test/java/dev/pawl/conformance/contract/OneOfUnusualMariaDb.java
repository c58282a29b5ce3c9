package dev.pawl.conformance.contract;

import dev.pawl.conformance.DistributedTests;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A third of the tests: in other modes, in sessions with other settings, or with another default schema. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DistributedTests(
        among = {MariaDbModesTest.class, MariaDbSessionsTest.class, MariaDbAwayTest.class},
        oneOf = 3,
        all = "PAWL_CONTRACTS")
@interface OneOfUnusualMariaDb {}
