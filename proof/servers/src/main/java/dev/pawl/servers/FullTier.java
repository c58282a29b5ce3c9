package dev.pawl.servers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Marks a test that the quick tier leaves out; see {@link Tier}. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(FullTierCondition.class)
public @interface FullTier {
    /** {@return the environment variable that enables this group if it is {@code all}; docs/inside/proof.md lists these variables} */
    String group();
}
