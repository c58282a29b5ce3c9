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
 * Several classes share the same tests, and the quick tier runs each test in few of them, as {@link TestDistribution} says. A test that only one
 * class has always runs. {@link #all} in the environment, with the value {@code all}, runs each test in each class.
 */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(DistributedTestsCondition.class)
public @interface DistributedTests {
    /** {@return the classes; a class that the environment disables gets no test, and one that is listed twice gets twice as many} */
    Class<?>[] among();

    /** {@return the annotations of all databases, including the annotated one, if the classes are those of one database} */
    Class<? extends Annotation>[] databases() default {};

    /** {@return the database of the classes; empty: they are not those of one database} */
    Product[] product() default {};

    /** {@return the quick tier runs one of this many tests, if the classes are not those of one database} */
    int oneOf() default 1;

    /** {@return the environment variable that runs all of them if it is {@code all}} */
    String all();
}
