package dev.pawl.conformance.contract;

import dev.pawl.conformance.DistributedTests;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** An interrupted operation is tested on one database, mostly SQLite; the specification breaks calls of generated programs on each. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DistributedTests(
        among = {
            SqliteFailingCallsTest.class,
            SqliteFailingCallsTest.class,
            SqliteFailingCallsTest.class,
            SqliteFailingCallsTest.class,
            PostgresFailingCallsTest.class, // with a recount of late jobs, which SQLite does not need
            SqliteFailingCallsTest.class,
            MariaDbFailingCallsTest.class, // for the same reason
            SqliteFailingCallsTest.class
        },
        all = "PAWL_CALLS")
@interface OneOfFailingCalls {}
