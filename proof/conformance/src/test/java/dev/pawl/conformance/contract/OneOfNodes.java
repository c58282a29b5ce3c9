package dev.pawl.conformance.contract;

import dev.pawl.conformance.DistributedTests;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A third of the tests, on one of the clusters all nodes of which take writes, with rows or with lanes. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DistributedTests(
        among = {GaleraConformanceTest.class, GaleraLanesTest.class, GroupConformanceTest.class, GroupLanesTest.class},
        oneOf = 3,
        all = "PAWL_CONTRACTS")
@interface OneOfNodes {}
