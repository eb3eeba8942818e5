/// One judgement for each function that vectors are about; whoever reads files hands the values over.
package enum VectorJudge {}
