package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test that needs several runs: with rows, in tuned tables or not, with lanes, or with another default schema. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Dealt(
        among = {
            PostgresTunedConformanceTest.class,
            PostgresConformanceTest.class,
            PostgresLanesTest.class,
            PostgresAwayTest.class
        },
        family = Dealt.Family.POSTGRESQL,
        all = "PAWL_CONTRACTS")
@interface OneOfPostgres {}
