package dev.pawl.conformance;

import dev.pawl.servers.Product;
import java.lang.annotation.Annotation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Several classes share the same tests, and the quick tier runs each test in few of them, as {@link TestDistribution} describes. A test
 * that is in only one class always runs. If the environment variable {@link #all} is {@code all}, each test runs in each class.
 */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(DistributedTestsCondition.class)
public @interface DistributedTests {
    /** {@return the classes; a class that the environment disables gets no test, and one that is listed twice gets twice as many} */
    Class<?>[] among();

    /**
     * {@return the annotations of all databases, including the annotation that has this one; empty if the classes do not belong to one
     * database}
     */
    Class<? extends Annotation>[] databases() default {};

    /** {@return the database of the classes; empty if they do not belong to one} */
    Product[] product() default {};

    /** {@return n if the quick tier runs one of n tests; only for classes that do not belong to one database} */
    int oneOf() default 1;

    /** {@return the environment variable that runs all tests if it is {@code all}} */
    String all();
}
