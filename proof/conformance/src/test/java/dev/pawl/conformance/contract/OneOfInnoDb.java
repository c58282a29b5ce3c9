package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test that needs several runs, with rows or with lanes, on MariaDB or MySQL, which share a dialect. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Dealt(
        among = {MariaDbConformanceTest.class, MySqlConformanceTest.class, MariaDbLanesTest.class, MySqlLanesTest.class
        },
        family = Dealt.Family.INNODB,
        all = "PAWL_CONTRACTS")
@interface OneOfInnoDb {}
