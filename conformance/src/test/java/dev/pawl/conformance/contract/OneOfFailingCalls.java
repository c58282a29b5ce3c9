package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** An operation is interrupted on one of the three; the specification breaks off calls of drawn programs on each. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Dealt(
        among = {
            SqliteFailingCallsTest.class,
            SqliteFailingCallsTest.class, // the specification lets calls fail on the servers, too
            PostgresFailingCallsTest.class,
            MariaDbFailingCallsTest.class
        },
        all = "PAWL_CALLS")
@interface OneOfFailingCalls {}
