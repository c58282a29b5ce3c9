package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** An interrupted operation is tested on one of the three; the specification breaks calls of generated programs on each. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Dealt(
        among = {
            SqliteFailingCallsTest.class,
            SqliteFailingCallsTest.class, // the specification breaks calls on the servers, too
            PostgresFailingCallsTest.class,
            MariaDbFailingCallsTest.class
        },
        all = "PAWL_CALLS")
@interface OneOfFailingCalls {}
