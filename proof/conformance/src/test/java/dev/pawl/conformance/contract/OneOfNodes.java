package dev.pawl.conformance.contract;

import dev.pawl.conformance.DistributedTests;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Each test runs on one of the clusters all nodes of which take writes. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DistributedTests(
        among = {GaleraNodesTest.class, GroupNodesTest.class},
        all = "PAWL_CONTRACTS")
@interface OneOfNodes {}
