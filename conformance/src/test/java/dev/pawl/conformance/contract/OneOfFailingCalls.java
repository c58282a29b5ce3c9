package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** An operation is interrupted with lanes on PostgreSQL or on MariaDB. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Dealt(
        among = {PostgresFailingCallsTest.class, MariaDbFailingCallsTest.class},
        all = "PAWL_CALLS")
@interface OneOfFailingCalls {}
